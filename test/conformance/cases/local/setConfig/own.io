// A parameter of our own.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setConfig","params":{"params":{"-999":"te6cckEBAQEAAgAAAEysuc0="}}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"y8UsZJBK/G7tmzvDGlwdabZE7xQ49kOQNPD8x1c8vaE=","file_hash":"tHe9Lv8nnw+IgNszzXv11y9D705WXPnAGcJ53Ct9sg8="}}}
