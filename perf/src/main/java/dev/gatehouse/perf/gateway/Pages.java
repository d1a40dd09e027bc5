package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.NginxServer;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The app and its pages, with the sizes of the published reports. */
public final class Pages {

  /** The page of AuthMark. */
  public static final int PAGE = 14_336;

  /** The public page of the access gateways, with as many images. */
  static final int PUBLIC_PAGE = 50_000;

  /** The pages of the tests of scaling and of throughput. */
  static final int PAGE_60K = 60_000;

  static final int PAGE_8M = 8 << 20;

  static final int IMAGES = 50;
  static final int IMAGE = 1_000;

  /** An authorization page with one hyperlink. */
  public static final int SMALL = 200;

  private Pages() {}

  public static void write(Path www) throws IOException {
    Files.createDirectories(www);
    Files.writeString(www.resolve("page-14k.html"), text(PAGE));
    Files.writeString(www.resolve("page-50k.html"), text(PUBLIC_PAGE));
    Files.writeString(www.resolve("page-60k.html"), text(PAGE_60K));
    Files.writeString(www.resolve("page-8m.html"), text(PAGE_8M));
    Files.writeString(www.resolve("small.html"), small());
    for (int i = 0; i < IMAGES; i++) {
      Files.writeString(www.resolve("image-" + i + ".html"), text(IMAGE));
    }
  }

  /**
   * Starts the app behind both gateways; it is nginx too, so that it is never the bottleneck. Pages may be cached for an hour. Redirects
   * are paths: otherwise nginx adds its own port to the host that people use, which at several nodes is the address of nothing.
   */
  public static ServerProcess serve(Path work, Path www) throws IOException, InterruptedException {
    int port = FreePorts.take();
    String config =
        """
        access_log off;
        server {
          listen 127.0.0.1:%1$d backlog=4096;
          root %2$s;
          absolute_redirect off;
          rewrite ^/(public|role|mark|app|form|form-plain|form-role)/(.*)$ /$2;
          location / { add_header Cache-Control "public, max-age=3600"; }
          location = /fill/page {
            default_type text/html;
            if ($cookie_legacy = "") { return 302 /fill/login; }
            return 200 '%3$s';
          }
          location = /fill/login {
            default_type text/html;
            return 200 '<form method="post" action="/fill/session"><input name="username"><input type="password" name="password"></form>';
          }
          location = /fill/session { add_header Set-Cookie "legacy=yes; Path=/fill/"; return 302 /fill/page; }
          location = /small { default_type text/html; add_header Cache-Control no-store; return 200 '%3$s'; }
        }
        """
            .formatted(port, www, small());
    return NginxServer.start("app", work, config, port);
  }

  /** A page in one line, because nginx's configuration contains it. */
  static String small() {
    return padded("<!doctype html><title>Page</title><p><a href=\"next\">Next</a></p>", SMALL);
  }

  private static String text(int bytes) {
    return padded("<!doctype html><title>A page of " + bytes + " bytes</title><p>", bytes);
  }

  private static String padded(String start, int bytes) {
    StringBuilder text = new StringBuilder(start);
    while (text.length() < bytes) {
      text.append(text.length() % 80 == 79 ? ' ' : (char) ('a' + text.length() % 26));
    }
    return text.toString();
  }
}
