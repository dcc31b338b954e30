// An item that is no name is left out.
>> {"jsonrpc":"2.0","id":1,"method":"token.domains","params":{"address":["EQCkg-9wk0_DbNi9VdhByyKbdlkZdSANdhSdxV4GDPmSrw_X"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"domains":[]}}
