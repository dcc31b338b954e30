// A block that does not exist yet.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"emulate.trace","params":{"boc":"te6cckEBAgEAtwAB4YgA7mxWquPD9y0X/exfwmyMAjsrlpkke0nHMew/qjSbiaIHobdJCfL5nEBbIl2aYdp+dGNcwlhz1y1vXHRIhCLvObpGL3g5fiGU6Oi8SHHHPm+YLtSITX02BjAZGsy4SRloWU1NGL/////4AAAAYAAcAQCCQgA7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u6Hc1lAAAAAAAAAAAAAAAAAAAAAAAABmb3IgbHVuY2gAOGaO","mc_block_seqno":2000000000,"rand_seed":"KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKg=","now":1700003024}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32052,"message":"mc block seqno is too new","data":{"kind":"EMULATION"}}}
