// null removes a parameter.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setConfig","params":{"params":{"-999":"te6cckEBAQEAAgAAAEysuc0="}}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"y8UsZJBK/G7tmzvDGlwdabZE7xQ49kOQNPD8x1c8vaE=","file_hash":"tHe9Lv8nnw+IgNszzXv11y9D705WXPnAGcJ53Ct9sg8="}}}
>> {"jsonrpc":"2.0","id":2,"method":"local.setConfig","params":{"params":{"-999":null}}}
<< {"jsonrpc":"2.0","id":2,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":144,"root_hash":"FsEjPI5oyQhW711Zdje7pDyF9xuFMoUz3H21EbtGo78=","file_hash":"+ghHfCkslTwaMVjFIcZeu+yt7tJl27WX1i8Id4FIf9w="}}}
