package dev.gatehouse.common.realm;

/** How the login form of an app is recognised, filled and submitted. */
public record FormFillConfig() {}
