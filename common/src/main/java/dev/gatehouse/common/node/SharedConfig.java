package dev.gatehouse.common.node;

import dev.gatehouse.common.realm.Secret;
import java.util.Optional;

/**
 * The stores that the nodes of a deployment share.
 *
 * @param deployment names the deployment in both stores
 * @param masterKey seals the keys that are stored in PostgreSQL; 32 bytes in base64
 * @param otp this server among several that check one-time passwords; empty if no other server does
 */
public record SharedConfig(
    String deployment, PostgresConfig postgres, ValkeyConfig valkey, Secret masterKey, Optional<OtpServerConfig> otp) {}
