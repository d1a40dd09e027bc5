package dev.gatehouse.common.realm;

/** What is changed in paths, Location and cookies between the client and the app. */
public record RewriteConfig() {

  /** Nothing. */
  public static final RewriteConfig NONE = new RewriteConfig();
}
