package dev.gatehouse.common.realm;

/** What a node does. */
public enum Role {
  IDP,
  SP,
  GATEWAY
}
