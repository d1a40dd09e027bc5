package dev.gatehouse.gateway.demo;

import java.io.IOException;
import java.net.URI;

/**
 * Follows the redirects from the sample app to the login page once, so that the demo reports readiness only when it is
 * ready.
 */
public final class DemoWarmUp {
  private static final int TRIES = 300;

  private DemoWarmUp() {}

  /**
   * Returns when the login page was served.
   *
   * @throws DemoRefused after 30 seconds
   */
  public static void await(DemoPorts ports) throws InterruptedException {
    URI app = URI.create("http://app.localhost:" + ports.appHttp() + "/");
    String last = "";
    for (int i = 0; i < TRIES; i++) {
      try {
        int status = new DemoBrowser().get(app).status();
        if (status == 200) {
          return;
        }
        last = Integer.toString(status);
      } catch (IOException e) {
        last = e.getMessage();
      }
      Thread.sleep(100);
    }
    throw new DemoRefused("The node started, but its login page cannot be reached: " + last);
  }
}
