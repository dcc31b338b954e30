// No hashes, no libraries.
// only: POST, dialect, single, batch, ws, in process
>> {"jsonrpc":"2.0","id":1,"method":"getLibraries","params":{"libraries":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.libraryResult","result":[]}}
