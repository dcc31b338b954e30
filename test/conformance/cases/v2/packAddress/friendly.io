// Of a bounceable address.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"packAddress","params":{"address":"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"}}
<< {"jsonrpc":"2.0","id":1,"result":"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"}
