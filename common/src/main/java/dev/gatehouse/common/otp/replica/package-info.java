/** Servers that check one-time passwords together: one primary, and replicas that follow its database by logical replication. */
@NullMarked
package dev.gatehouse.common.otp.replica;

import org.jspecify.annotations.NullMarked;
