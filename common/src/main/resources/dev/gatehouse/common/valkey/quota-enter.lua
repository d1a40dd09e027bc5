-- KEYS: see limited.lua, of which there is no value. ARGV: now, entry, expiry, holder, cost, limits per holder and in all, prefix of the
-- entries of a holder. Returns 1 and the entries that were displaced; or 2, the time until which there is no space, and these.
local now, entry, holder, cost, by = tonumber(ARGV[1]), ARGV[2], ARGV[4], tonumber(ARGV[5]), ARGV[8]
expire(now, by)
leave(entry, by)
while own(holder) + cost > tonumber(ARGV[6]) do
  if not expire(now, by) then
    local one = oldest(holder, by)
    return {2, one and redis.call('ZSCORE', expiries, one) or ARGV[1]}
  end
end
local displaced = {1}
while total() + cost > tonumber(ARGV[7]) do
  if not expire(now, by) then
    local most = redis.call('ZRANGE', networks, -1, -1, 'WITHSCORES')
    if not most[1] or tonumber(most[2]) <= own(holder) + cost then
      local full = {2, first_end(ARGV[1])}
      for i = 2, #displaced do
        full[i + 1] = displaced[i]
      end
      return full
    end
    local one = oldest(most[1], by)
    leave(one, by)
    displaced[#displaced + 1] = one
  end
end
enter(entry, holder, ARGV[5], '', ARGV[3], by)
return displaced
