package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.demo.DemoPorts;
import java.io.IOException;
import java.net.URI;

/** Walks once from the sample app to the login page, so that the demo says it is ready when it is. */
final class DemoWarmUp {
  private static final int TRIES = 300;

  private DemoWarmUp() {}

  /** Returns when the login page was answered; throws {@link StartRefused} after 30 s. */
  static void await(DemoPorts ports) throws InterruptedException {
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
    throw new StartRefused("The node started, but the way to its login page ends with: " + last);
  }
}
