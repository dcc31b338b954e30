// Deleting it again does no harm.
>> {"jsonrpc":"2.0","id":1,"method":"hooks.delete","params":{"id":"hook_VGhpcyBpcyBhIGhvb2s"}}
<< {"jsonrpc":"2.0","id":1,"result":{"deleted":false}}
