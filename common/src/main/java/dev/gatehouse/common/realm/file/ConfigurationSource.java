package dev.gatehouse.common.realm.file;

/** The place of the realms' configuration, {@code configuration.source} in {@code gatehouse.yaml}. */
public enum ConfigurationSource {
  /** {@code realms/NAME.yaml} beside {@code gatehouse.yaml}, followed while the node runs. */
  FILES,
  /** Revisions in the database, changed by administrators. */
  DATABASE
}
