// Nothing of an account is pending.
>> {"jsonrpc":"2.0","id":1,"method":"v3.pendingTraces","params":{"account":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"result":{"traces":[],"address_book":{},"metadata":{}}}
