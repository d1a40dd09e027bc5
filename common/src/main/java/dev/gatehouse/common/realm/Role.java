package dev.gatehouse.common.realm;

/** A function of a node. */
public enum Role {
  IDP,
  SP,
  GATEWAY
}
