// An account that does not exist is not bounceable.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.addressBook","params":{"address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"0:9999999999999999999999999999999999999999999999999999999999999999":{"user_friendly":"UQCZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmeGP","domain":null,"interfaces":[]}}}
