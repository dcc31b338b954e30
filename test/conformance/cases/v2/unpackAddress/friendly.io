// Of a bounceable address.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"unpackAddress","params":{"address":"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"}}
<< {"jsonrpc":"2.0","id":1,"result":"0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8"}
