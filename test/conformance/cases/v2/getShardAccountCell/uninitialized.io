// An account with coins and without a contract.
>> {"jsonrpc":"2.0","id":1,"method":"getShardAccountCell","params":{"address":"0:7777777777777777777777777777777777777777777777777777777777777777"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"tvm.cell","bytes":"te6cckEBAgEAZQABUEYrDo7cLJzSp4X5x8xaQplPyduk66XtZprNeGAtWmXXAAAAAAhI+MYBAG/AB3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3dyAl3DKp+NsAAAAAAhI+MdgEgA2hBZBDNQZ0g="}}
