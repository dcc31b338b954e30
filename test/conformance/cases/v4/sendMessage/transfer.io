// A signed transfer is accepted.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"v4.sendMessage","params":{"boc":"te6cckEBAgEAtwAB4YgA7mxWquPD9y0X/exfwmyMAjsrlpkke0nHMew/qjSbiaIHobdJCfL5nEBbIl2aYdp+dGNcwlhz1y1vXHRIhCLvObpGL3g5fiGU6Oi8SHHHPm+YLtSITX02BjAZGsy4SRloWU1NGL/////4AAAAYAAcAQCCQgA7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u6Hc1lAAAAAAAAAAAAAAAAAAAAAAAABmb3IgbHVuY2gAOGaO"}}
<< {"jsonrpc":"2.0","id":1,"result":{"status":1}}
