package dev.gatehouse.common.node;

import dev.gatehouse.common.realm.Secret;

/**
 * The stores that the nodes of a deployment share.
 *
 * @param deployment names the deployment in both stores
 * @param masterKey seals the keys that are stored in PostgreSQL; 32 bytes in base64
 */
public record SharedConfig(String deployment, PostgresConfig postgres, ValkeyConfig valkey, Secret masterKey) {}
