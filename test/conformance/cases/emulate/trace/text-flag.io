// A flag is true or false.
// status: 400
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"emulate.trace","params":{"boc":"te6cckEBAgEAtwAB4YgA7mxWquPD9y0X/exfwmyMAjsrlpkke0nHMew/qjSbiaIHobdJCfL5nEBbIl2aYdp+dGNcwlhz1y1vXHRIhCLvObpGL3g5fiGU6Oi8SHHHPm+YLtSITX02BjAZGsy4SRloWU1NGL/////4AAAAYAAcAQCCQgA7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u6Hc1lAAAAAAAAAAAAAAAAAAAAAAAABmb3IgbHVuY2gAOGaO","ignore_chksig":"yes"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: failed to parse ignore_chksig","data":{"kind":"INVALID_PARAMS","issues":[{"param":"ignore_chksig","message":"failed to parse ignore_chksig","expected":"JSON true or false"}]}}}
