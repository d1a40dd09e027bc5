package dev.gatehouse.common.realm;

import java.time.Duration;

/**
 * Limits on guessing.
 *
 * @param perAccount wrong passwords for one account within {@code window} before further tries are refused unread, by each
 *     {@code Guesser}
 * @param perAddress wrong passwords of strangers from one address (IPv6: one /64) within {@code window}
 * @param window over which failures count; a success clears the account's own count
 */
public record ThrottleConfig(int perAccount, int perAddress, Duration window) {}
