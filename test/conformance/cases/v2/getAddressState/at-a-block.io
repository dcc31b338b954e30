// The state at an earlier masterchain block.
>> {"jsonrpc":"2.0","id":1,"method":"getAddressState","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","seqno":5}}
<< {"jsonrpc":"2.0","id":1,"result":"active"}
