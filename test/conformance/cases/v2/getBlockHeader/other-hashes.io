// Hashes of no block are an error of the chain.
// status: 500
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getBlockHeader","params":{"workchain":0,"shard":"-9223372036854775808","seqno":5,"root_hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","file_hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"LITE_SERVER_NOTREADY: block is not found by its root_hash and file_hash","data":{"kind":"CHAIN"}}}
