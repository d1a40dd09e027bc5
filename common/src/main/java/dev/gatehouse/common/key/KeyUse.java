package dev.gatehouse.common.key;

/** What a key is for. */
public enum KeyUse {
  IDP_SIGNING,
  SP_SIGNING
}
