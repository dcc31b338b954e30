// Of a raw address.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"packAddress","params":{"address":"0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8"}}
<< {"jsonrpc":"2.0","id":1,"result":"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"}
