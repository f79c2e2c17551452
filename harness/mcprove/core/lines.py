class LineTooLong(ValueError):
    def __init__(self, limit):
        super().__init__(f"a line of over {limit} bytes"); self.limit = limit


class LineDecoder:
    def __init__(self, limit):
        self.limit = limit; self._rest = bytearray()

    @property
    def rest(self): return bytes(self._rest)

    def feed(self, data):
        self._rest += data
        *lines, rest = self._rest.split(b"\n")
        self._rest = bytearray(rest)
        if len(rest) > self.limit: raise LineTooLong(self.limit)
        return [bytes(l) for l in lines]
