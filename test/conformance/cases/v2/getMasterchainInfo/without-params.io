// The params may be left out.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo"}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"blocks.masterchainInfo","last":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":142,"root_hash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","file_hash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="},"state_root_hash":"CXSOwsCiPpCbKPnE4Lqmy9acu1LjSlR3K/HvjsffouM=","init":{"@type":"ton.blockIdExt","workchain":-1,"shard":"0","seqno":0,"root_hash":"EbXwO5d/LbDlbXwCNfOC/bVdmqoBsKkGhXaMxWJyXCA=","file_hash":"sScLx1/OnBJy6JS29WYnjlkoeoDG3ZlilLfQ24BZuws="}}}
