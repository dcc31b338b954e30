// Of a non-bounceable address.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"packAddress","params":{"address":"UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI"}}
<< {"jsonrpc":"2.0","id":1,"result":"UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI"}
