// The params may be left out.
>> {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}
<< {"jsonrpc":"2.0","id":1,"result":{"openrpc":"1.3.2","info":{"title":"tonway","version":"<version>","description":"Access to a TON blockchain over JSON-RPC 2.0: POST and WebSocket on /jsonRPC, single calls and batches.","license":{"name":"MIT"}},"methods":"<methods>","components":"<components>","servers":"<servers>"}}
