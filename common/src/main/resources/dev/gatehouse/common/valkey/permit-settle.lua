-- KEYS: failed permits by their end, open permits, counters with failed permits of one account. ARGV: number of the permit, 'fail', 'back' or
-- 'clear', who, remaining life of the counter, the counter's name.
local failed, open = KEYS[1], KEYS[2]
local number = tonumber(ARGV[1])
for _, member in ipairs(redis.call('ZRANGE', open, 0, -1)) do
  if tonumber(string.match(member, '^(%d+):')) == number then
    redis.call('ZREM', open, member)
    if ARGV[2] == 'fail' then
      local ends = string.match(member, ':(%d+)$')
      redis.call('ZADD', failed, ends, member)
      if redis.call('PTTL', failed) < 0 then
        redis.call('PEXPIRE', failed, ARGV[4])
      end
      redis.call('SADD', KEYS[3], ARGV[5])
      redis.call('PEXPIRE', KEYS[3], ARGV[4])
    end
  end
end
if ARGV[2] == 'clear' then
  for _, member in ipairs(redis.call('ZRANGE', failed, 0, -1)) do
    local taken, who = string.match(member, '^(%d+):(.*):%d+$')
    if who == ARGV[3] and tonumber(taken) <= number then
      redis.call('ZREM', failed, member)
    end
  end
end
return {1}
