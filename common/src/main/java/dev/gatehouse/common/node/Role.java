package dev.gatehouse.common.node;

/** A function of a node. */
public enum Role {
  IDP,
  SP,
  GATEWAY
}
