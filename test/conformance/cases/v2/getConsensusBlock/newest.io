// The newest block that the service trusts, and the present time.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getConsensusBlock","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.blocks.consensusBlock","consensus_block":142,"timestamp":"<now>"}}
