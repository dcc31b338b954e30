// Numbers as a list; those that are not set are left out.
// only: dialect, single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"v4.getConfig","params":{"seqno":1,"ids":[15,4000]}}
<< {"jsonrpc":"2.0","id":1,"result":{"exist":true,"config":{"cell":"te6cckEBAgEAGgABCqAAAAAPAQAgAAEAAAAAgAAAACAAAACAAGOGBSo=","address":"Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn","globalBalance":{"coins":"1002000001000000000"}}}}
