-- KEYS: value, due index. ARGV: value, due, member.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {0}
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
return {1}
