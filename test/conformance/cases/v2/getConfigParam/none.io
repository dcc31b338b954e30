// A parameter that is not there is an empty cell.
>> {"jsonrpc":"2.0","id":1,"method":"getConfigParam","params":{"config_id":999}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"configInfo","config":{"@type":"tvm.cell","bytes":""}}}
