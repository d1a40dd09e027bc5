package dev.gatehouse.gateway.demo;

/**
 * The ports of the demo, all on loopback. The first five must not change, because scripts use them.
 *
 * @param radius of UDP
 */
public record DemoPorts(
    int idpHttp, int idpHttps, int appHttp, int appHttps, int admin, int app, int directory, int metrics, int radius) {

  /** Creates ports with any free one for RADIUS. */
  public DemoPorts(int idpHttp, int idpHttps, int appHttp, int appHttps, int admin, int app, int directory, int metrics) {
    this(idpHttp, idpHttps, appHttp, appHttps, admin, app, directory, metrics, 0);
  }

  public static DemoPorts contract() {
    return new DemoPorts(8080, 8444, 8000, 8443, 8081, 8090, 10389, 8082, 1812);
  }

  /** Nine consecutive ports, so that a second demo or a test can run beside the first. */
  public static DemoPorts from(int base) {
    return new DemoPorts(base, base + 1, base + 2, base + 3, base + 4, base + 5, base + 6, base + 7, base + 8);
  }

  /** The port of RADIUS of an agent that somebody starts beside the demo; 0 is any. */
  public int agent() {
    return radius == 0 ? 0 : radius + 1;
  }

  /** Fills in the ports that a template names, as {@code @admin@}. */
  public String fillIn(String template) {
    return template
        .replace("@idpHttps@", String.valueOf(idpHttps))
        .replace("@idpHttp@", String.valueOf(idpHttp))
        .replace("@appHttps@", String.valueOf(appHttps))
        .replace("@appHttp@", String.valueOf(appHttp))
        .replace("@admin@", String.valueOf(admin))
        .replace("@app@", String.valueOf(app))
        .replace("@agent@", String.valueOf(agent()))
        .replace("@radius@", String.valueOf(radius))
        .replace("@metrics@", String.valueOf(metrics))
        .replace("@directory@", String.valueOf(directory));
  }
}
