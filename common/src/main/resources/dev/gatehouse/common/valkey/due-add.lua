-- KEYS: value, due index, group index. ARGV: value, due, member.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return {0}
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[3], 0, ARGV[3])
return {1}
