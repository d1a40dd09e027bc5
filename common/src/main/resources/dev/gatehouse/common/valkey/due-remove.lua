-- KEYS: value, due index, group index. ARGV: member.
if redis.call('DEL', KEYS[1]) == 0 then
  return {0}
end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return {1}
