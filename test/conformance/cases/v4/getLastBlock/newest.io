// The newest masterchain block, when it was made, and the zerostate.
>> {"jsonrpc":"2.0","id":1,"method":"v4.getLastBlock","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"last":{"workchain":-1,"seqno":142,"shard":"-9223372036854775808","rootHash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","fileHash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="},"init":{"rootHash":"EbXwO5d/LbDlbXwCNfOC/bVdmqoBsKkGhXaMxWJyXCA=","fileHash":"sScLx1/OnBJy6JS29WYnjlkoeoDG3ZlilLfQ24BZuws="},"stateRootHash":"CXSOwsCiPpCbKPnE4Lqmy9acu1LjSlR3K/HvjsffouM=","now":1700003017}}
