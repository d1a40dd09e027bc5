package dev.gatehouse.common.db;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.h2.engine.Constants;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * The scheme {@code checked:} for files of H2; a database's main file is a {@link CheckedFile}. The class and its constructor
 * are public because H2 creates an instance for each path.
 */
public final class CheckedFilePath extends FilePathWrapper {

  static final String SCHEME = "checked";

  /** Registers the scheme with H2. */
  static void register() {
    FilePath.register(new CheckedFilePath());
  }

  static Path path(String name) {
    return Path.of(name.startsWith(SCHEME + ":") ? name.substring(SCHEME.length() + 1) : name);
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    FileChannel base = getBase().open(mode);
    return name.endsWith(Constants.SUFFIX_MV_FILE) ? new CheckedFile(base, path(name), !mode.equals("r")) : base;
  }
}
