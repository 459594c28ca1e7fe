package program

func limitData(int64) {}
