// A parameter as a cell.
>> {"jsonrpc":"2.0","id":1,"method":"getConfigParam","params":{"config_id":12}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"configInfo","config":{"@type":"tvm.cell","bytes":"te6cckEBAgEAYgABAcABALfQUzKp+IAAAABwAE1CR8b24PMcEvc4dbk4mKnI7YWO44mS3w2baR+Tz2IZrzmSV4U/C8Z/VUzqIOhvg1zws5LrUjmfAbE8zqHmkKCAAAAAD/////gAAAAAAAAABKFjkiA="}}}
