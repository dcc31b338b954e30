// A ping is answered with its id.
// over: stream
>> {"operation":"ping","id":"p"}
<< {"id":"p","status":"pong"}
>> {"operation":"ping"}
<< {"status":"pong"}
