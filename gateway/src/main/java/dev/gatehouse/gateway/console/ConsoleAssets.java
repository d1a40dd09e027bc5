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

/** {@code /console/assets}: the script files of the console's pages, which come from WebJars. Pages work without them. */
@Controller
@RequestMapping("/console/assets")
final class ConsoleAssets {

  /** The address of htmx, another one for each version. */
  static final String HTMX = Address.with(Address.CONSOLE + "assets/htmx.js", "v", version("htmx.org"));

  private static final Map<String, String> FILES = Map.of("htmx.js", "htmx.org/" + version("htmx.org") + "/dist/htmx.min.js");
  private static final MediaType SCRIPT = MediaType.parseMediaType("text/javascript;charset=utf-8");

  @GetMapping("/{file}")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> file(@PathVariable("file") String file) {
    String path = Optional.ofNullable(FILES.get(file)).orElseThrow(() -> new NotFound("There is no such file."));
    return ResponseEntity.ok()
        .contentType(SCRIPT)
        .header("Cache-Control", "private, max-age=31536000, immutable")
        .header("X-Content-Type-Options", "nosniff")
        .body(content("/META-INF/resources/webjars/" + path));
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
