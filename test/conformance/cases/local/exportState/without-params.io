// The params may be left out.
>> {"jsonrpc":"2.0","id":1,"method":"local.exportState"}
<< {"jsonrpc":"2.0","id":1,"result":{"format":"tonway state","version":1,"global_id":-3,"utime":1700003017,"offset":"<offset>","boc":"<state>"}}
