package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** {@code /console/assets}: the scripts and style sheets of the console's pages, which come from WebJars. Pages work without them. */
@Controller
@RequestMapping("/console/assets")
final class ConsoleAssets {

  /** The address of htmx, another one for each version. */
  static final String HTMX = Address.with(Address.CONSOLE + "assets/htmx.js", "v", version("htmx.org"));

  /** The scripts of the page with charts. */
  static final String UPLOT = Address.with(Address.CONSOLE + "assets/uplot.js", "v", version("uplot"));
  static final String CHARTS = Address.CONSOLE + "assets/charts.js";

  private static final String JARS = "/META-INF/resources/webjars/";
  private static final MediaType SCRIPT = MediaType.parseMediaType("text/javascript;charset=utf-8");
  private static final MediaType STYLE = MediaType.parseMediaType("text/css;charset=utf-8");

  private record Asset(String resource, MediaType type, String cacheControl) {}

  private static final Map<String, Asset> FILES =
      Map.of(
          "htmx.js", ofJar("htmx.org", "htmx.min.js", SCRIPT),
          "uplot.js", ofJar("uplot", "uPlot.iife.min.js", SCRIPT),
          "uplot.css", new Asset(JARS + "uplot/" + version("uplot") + "/dist/uPlot.min.css", STYLE, "private, no-cache"),
          "charts.js", new Asset("/console/charts.js", SCRIPT, "private, no-cache"));

  /** Pages ask for the file by its version. */
  private static Asset ofJar(String jar, String file, MediaType type) {
    return new Asset(JARS + jar + "/" + version(jar) + "/dist/" + file, type, "private, max-age=31536000, immutable");
  }

  @GetMapping("/{file}")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> file(@PathVariable("file") String file) {
    Asset asset = Optional.ofNullable(FILES.get(file)).orElseThrow(() -> new NotFound("There is no such file."));
    return ResponseEntity.ok()
        .contentType(asset.type())
        .header("Cache-Control", asset.cacheControl())
        .header("X-Content-Type-Options", "nosniff")
        .body(content(asset.resource()));
  }

  private static String version(String jar) {
    Properties properties = new Properties();
    try (InputStream in = resource("/META-INF/maven/org.webjars.npm/" + jar + "/pom.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  private static byte[] content(String path) {
    try (InputStream in = resource(path)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream resource(String path) {
    return Objects.requireNonNull(ConsoleAssets.class.getResourceAsStream(path), path);
  }
}
