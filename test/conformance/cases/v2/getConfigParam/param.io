// The other name of config_id.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getConfigParam","params":{"param":0}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"configInfo","config":{"@type":"tvm.cell","bytes":"te6cckEBAQEAIgAAQFVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV+A4W5w=="}}}
