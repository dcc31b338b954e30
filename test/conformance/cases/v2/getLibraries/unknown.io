// Unknown hashes are left out.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getLibraries","params":{"libraries":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.libraryResult","result":[]}}
