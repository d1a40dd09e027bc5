package dev.gatehouse.common.db;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.h2.engine.Constants;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * Files of H2 below the scheme {@code checked:}; a database's main file is a {@link CheckedFile}. Public, and with a public
 * constructor, for H2, which makes one for each path.
 */
public final class CheckedFilePath extends FilePathWrapper {

  static final String SCHEME = "checked";

  /** From now on H2 knows the scheme. */
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
