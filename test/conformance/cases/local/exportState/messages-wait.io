// While a message waits for a block nothing is exported.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"sendBoc","params":{"boc":"te6cckEBAgEAtwAB4YgA7mxWquPD9y0X/exfwmyMAjsrlpkke0nHMew/qjSbiaIHobdJCfL5nEBbIl2aYdp+dGNcwlhz1y1vXHRIhCLvObpGL3g5fiGU6Oi8SHHHPm+YLtSITX02BjAZGsy4SRloWU1NGL/////4AAAAYAAcAQCCQgA7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u6Hc1lAAAAAAAAAAAAAAAAAAAAAAAABmb3IgbHVuY2gAOGaO"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ok"}}
>> {"jsonrpc":"2.0","id":2,"method":"local.exportState","params":{}}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"messages wait for a block, and a state has none: call local.mine first","data":{"kind":"INVALID_PARAMS"}}}
