-- KEYS: sequence. Returns the raised sequence.
return {1, redis.call('INCR', KEYS[1])}
