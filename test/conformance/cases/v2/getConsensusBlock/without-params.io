// The params may be left out.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getConsensusBlock"}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.blocks.consensusBlock","consensus_block":142,"timestamp":"<now>"}}
