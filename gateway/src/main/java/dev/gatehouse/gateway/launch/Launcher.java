package dev.gatehouse.gateway.launch;

/** The entry point of {@code ./gatehouse}. */
public final class Launcher {

  private Launcher() {}

  public static void main(String[] arguments) {
    throw new UnsupportedOperationException("not built yet");
  }
}
