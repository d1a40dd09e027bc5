package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** {@code /console/assets/}: the scripts and style sheets of pages; these and no other resources. */
@Controller
@RequestMapping("/console/assets")
final class AssetFiles {

  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
  private static final String SCRIPT = "text/javascript;charset=utf-8";
  private static final String STYLE = "text/css;charset=utf-8";

  private record Asset(String resource, String type) {}

  private static final Map<String, Asset> ASSETS =
      Map.of(
          "uplot.js", new Asset(UPLOT + "uPlot.iife.min.js", SCRIPT),
          "uplot.css", new Asset(UPLOT + "uPlot.min.css", STYLE),
          "charts.js", new Asset("/console/charts.js", SCRIPT));

  @GetMapping("/{name}")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> read(@PathVariable("name") String name) throws IOException {
    Asset asset = Optional.ofNullable(ASSETS.get(name)).orElseThrow(() -> new NotFound("The console has no such file."));
    try (InputStream in = Objects.requireNonNull(AssetFiles.class.getResourceAsStream(asset.resource()), asset.resource())) {
      return ResponseEntity.ok()
          .header("Content-Type", asset.type())
          .header("Cache-Control", "private, no-cache")
          .header("X-Content-Type-Options", "nosniff")
          .body(in.readAllBytes());
    }
  }
}
